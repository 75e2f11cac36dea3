"""The table reader: node and edge tables from CSV and parquet files."""
