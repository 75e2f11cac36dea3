"""The page of a run: one self-contained HTML file."""

from infomotif.runs.report.page import write_report

__all__ = ["write_report"]
