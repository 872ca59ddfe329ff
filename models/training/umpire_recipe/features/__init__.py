"""Makes the basis of a pack's features: what lessons learn from."""
