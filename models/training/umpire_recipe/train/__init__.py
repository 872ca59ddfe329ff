"""Trains the network on a mix."""
