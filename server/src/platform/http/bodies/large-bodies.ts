/**
 * Places for large bodies. A file, or the body of a call that takes more than usual, is kept in memory while it
 * arrives, and that may take minutes. So there are few places: for one sender, and in all.
 */
export interface LargeBodies {
  /** Takes a place for this sender. Returns how to give it back, once; null when no place is left. */
  take(sender: string): (() => void) | null;
}

/** Makes the places. Takes how many one sender may have, and how many there are in all. */
export function createLargeBodies({ each, all }: { each: number; all: number }): LargeBodies {
  const taken = new Map<string, number>();
  let sum = 0;
  return {
    take(sender) {
      const own = taken.get(sender) ?? 0;
      if (own >= each || sum >= all) return null;
      taken.set(sender, own + 1);
      sum += 1;
      return () => {
        const left = taken.get(sender)! - 1;
        if (left === 0) taken.delete(sender);
        else taken.set(sender, left);
        sum -= 1;
      };
    },
  };
}
