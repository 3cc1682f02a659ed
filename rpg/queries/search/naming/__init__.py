"""Symbols for a written name."""
