"""Tests of the VASL importer and of joining boards."""
