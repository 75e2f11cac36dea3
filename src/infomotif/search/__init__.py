"""``preset="auto"``: candidates, successive halving, and the choice by validation."""
