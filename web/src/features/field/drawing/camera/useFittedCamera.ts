/** Keeps the camera fitted: to the size of the field's box, the elements over it, and its figures. */
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { FieldRenderer } from '../fieldRenderer.ts';
import type { FieldViewProps } from '../fieldViewTypes.ts';
import { type FieldCamera, ownFigure } from './fieldCamera.ts';
import { createFieldCover, type FieldCover } from './fieldCover.ts';

/** Takes the field's element, its renderer, and its props. Returns the register of elements over the field. */
export function useFittedCamera(
  root: RefObject<HTMLElement | null>,
  { renderer, camera }: { renderer: FieldRenderer; camera: FieldCamera },
  props: FieldViewProps,
): FieldCover {
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    camera.measure(true);
    const observer = new ResizeObserver(() => camera.measure(false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [root, camera]);

  const cover = useMemo(
    () =>
      createFieldCover({
        root: () => root.current,
        onChange(boxes, clear, cameOrWent) {
          renderer.keepClear(boxes);
          camera.setClear(clear, cameOrWent);
        },
      }),
    [root, renderer, camera],
  );
  useEffect(() => cover.stop, [cover]);

  // The figures of a first answer may arrive after the first measurement: a view of the figures waits for them.
  const empty = props.figures.length === 0;
  const ownId = ownFigure(props)?.id;
  const firstLook = useRef(true);
  useLayoutEffect(() => {
    if (empty) return;
    camera.refit(!firstLook.current);
    firstLook.current = false;
  }, [camera, empty, ownId]);

  return cover;
}
