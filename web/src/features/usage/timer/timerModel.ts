/** The displayed timer, calculated from the server's last message. */
import { counterAt, type Timer, TREE_SECONDS, treesOf } from '@fieldroom/contract/usage';

/**
 * The seconds to show now. Takes the timer, the product's clock in ms, and what was shown before for the same timer.
 * The number never goes back, even if this page's clock is slightly ahead of the server's.
 */
export function shownSeconds(timer: Timer, nowMs: number, before: number): number {
  return Math.max(counterAt(timer, nowMs), before);
}

/** `24:59` for minutes and seconds; never below zero. */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Whether a tree was planted between two updates. A page that was just opened, or slept for hours, shows none: the
 * moment is over.
 */
export function plantedTree(before: number | null, now: number): boolean {
  return before !== null && treesOf(now) > treesOf(before) && now - before < TREE_SECONDS;
}
