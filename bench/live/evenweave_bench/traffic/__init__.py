"""What the strategy traffic gains on live switches, beside what it gains as computed."""
