"""What notebooks and scripts show: data frames, tables in HTML, and plots of plain arrays."""
