"""Everything that is compiled for mining; no other part of the package compiles motif code."""
