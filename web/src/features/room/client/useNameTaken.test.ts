import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useNameTaken } from './useNameTaken.ts';

vi.mock('react-i18next', () => {
  const t = (key: string) => key;
  return { useTranslation: () => ({ t }) };
});
beforeEach(() => sessionStorage.clear());

test('a taken name is reported once for each seat, and no other name is', () => {
  const tell = vi.fn();
  const load = (id: number, taken: boolean) => renderHook(() => useNameTaken(id, taken, tell)).unmount();
  load(9, false);
  expect(tell).not.toHaveBeenCalled();
  load(9, true);
  expect(tell).toHaveBeenCalledWith({ text: 'problem.name_taken', tone: 'fault' });
  load(9, true);
  expect(tell).toHaveBeenCalledTimes(1);
  load(10, true);
  expect(tell).toHaveBeenCalledTimes(2);
});
