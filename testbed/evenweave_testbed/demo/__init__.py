"""The demonstration: shares, throughput and a failure on a live fabric, measured with packets."""
