"""Builds the training mix: questions from four sources, packed as tokens."""
