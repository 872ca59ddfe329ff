"""Trains on a machine with a card that has no network: `pack` here, `run` there, `unpack` here."""
