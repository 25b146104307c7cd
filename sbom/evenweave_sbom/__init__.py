"""Bills of materials (CycloneDX) of what Evenweave ships and of what its tests use."""
