"""Node embeddings, classified by logistic regression."""
