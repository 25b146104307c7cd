"""What ./evenweave test runs: suites, the jobs that they are, and the summary of a run."""
