"""Tests of what writers of opponents use."""
