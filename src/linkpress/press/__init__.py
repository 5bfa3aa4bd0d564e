"""Makes and judges files for a printer."""
