"""Making boards: covers grown, walked and repaired; ``linkpress.engine.kernels`` explains the modules."""
