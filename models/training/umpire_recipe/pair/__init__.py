"""Trains an ordinary cross-encoder for natural language inference, and writes it as model hubs publish such models."""
