"""The techniques of the ladder, compiled; ``linkpress.engine.kernels`` explains the modules."""
