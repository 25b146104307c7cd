"""Failures of links answered while a host or a stranger attacks the fabric."""
