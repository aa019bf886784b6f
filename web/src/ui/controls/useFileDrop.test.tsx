import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useFileDrop } from './useFileDrop.ts';

afterEach(cleanup);

function Place({ onFile }: { onFile(file: File): void }) {
  return (
    <p data-testid="place" {...useFileDrop(onFile)}>
      Here
    </p>
  );
}

test('it takes the first file, marks the target while a file is over it, and keeps the browser from opening files', () => {
  const onFile = vi.fn();
  render(<Place onFile={onFile} />);
  const place = screen.getByTestId('place');
  expect(fireEvent.dragOver(place)).toBe(false);
  expect(place.dataset.over).toBe('true');
  fireEvent.dragLeave(place);
  expect(place.dataset.over).toBeUndefined();
  fireEvent.dragOver(place);
  const [first, second] = [new File(['a'], 'a.png'), new File(['b'], 'b.png')];
  expect(fireEvent.drop(place, { dataTransfer: { files: [first, second] } })).toBe(false);
  expect(place.dataset.over).toBeUndefined();
  expect(onFile.mock.calls).toEqual([[first]]);
});

test('a dropped text is not a file', () => {
  const onFile = vi.fn();
  render(<Place onFile={onFile} />);
  fireEvent.drop(screen.getByTestId('place'), { dataTransfer: { files: [] } });
  expect(onFile).not.toHaveBeenCalled();
});
