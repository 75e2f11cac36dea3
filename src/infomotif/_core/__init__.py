"""Private plumbing that knows no graph: files, locks, threads, random numbers, statistics."""
