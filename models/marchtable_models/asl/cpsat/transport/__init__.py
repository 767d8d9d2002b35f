"""Plans of Infantry carried by vehicles."""
