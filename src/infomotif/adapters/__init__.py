"""What other libraries find InfoMotif through."""
