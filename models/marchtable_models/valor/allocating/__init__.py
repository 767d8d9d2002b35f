"""The inside of :mod:`..allocation`: casualty choice by tables, by search, and by trying everything."""
