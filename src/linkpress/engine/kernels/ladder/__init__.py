"""These kernels are the techniques of the ladder; ``linkpress.engine.kernels`` explains the modules."""
