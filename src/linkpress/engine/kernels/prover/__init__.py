"""These kernels ask for a second drawing; ``linkpress.engine.kernels`` explains the modules."""
