"""Experiments: what is measured, on which graphs and splits, as YAML files."""
