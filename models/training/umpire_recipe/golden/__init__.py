"""Golden vectors: requests, and the answers that the engine must give."""
