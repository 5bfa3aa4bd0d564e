"""Typer commands; the only place that prints or exits."""
