"""Results: summaries, tables, figures and pages."""
