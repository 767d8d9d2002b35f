"""Horses, wagons and motorcycles: Cavalry (A13), wagons (D12), motorcycles (D15)."""
