"""Is there a second drawing? ``linkpress.engine.kernels`` explains the modules."""
