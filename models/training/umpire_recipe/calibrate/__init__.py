"""Fits a pack's temperatures and confidence curves."""
