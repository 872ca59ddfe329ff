"""Answers requests with a checkpoint or a pack, in Python. Calibration, golden vectors and comparisons use it."""
