"""``preset="auto"``: a portfolio of candidates, successive halving, and the answer that validation chooses."""
