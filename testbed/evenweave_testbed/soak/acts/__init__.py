"""What others do to a fabric: each act begins, is named by the controller, and ends."""
