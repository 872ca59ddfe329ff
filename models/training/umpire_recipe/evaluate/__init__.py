"""Measures checkpoints and packs on questions that training never saw."""
