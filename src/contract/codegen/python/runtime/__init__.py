"""What a generated package imports from itself: copied beside the dataclasses, module by module, as they need it.

Modules import the standard library and each other, relatively, so that a copy of the package works at any place.
"""
