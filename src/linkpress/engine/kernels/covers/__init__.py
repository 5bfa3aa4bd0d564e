"""These kernels grow, walk and repair covers; ``linkpress.engine.kernels`` explains the modules."""
