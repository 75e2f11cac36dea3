"""Everything that is compiled for the baselines."""
