"""Passengers and Riders (D6): what a vehicle holds, boarding and leaving it, what those aboard may do and suffer."""
