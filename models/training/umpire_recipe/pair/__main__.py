"""Entry point of `python -m umpire_recipe.pair`; see command.py."""

from umpire_recipe.train.allocator import keep_freed_memory

if __name__ == "__main__":
    keep_freed_memory()
    # Imported after the process has restarted itself, so that torch is loaded only once.
    from umpire_recipe.pair.command import main

    main()
