/** Another person's pointer on the field, with their name. */
import { memo, useCallback } from 'react';
import { shortName, wordWidth } from '../../names/nameText.ts';
import type { FieldRenderer } from '../fieldRenderer.ts';
import styles from './NamedPointer.module.css';

/** Drawn once; the renderer moves it. */
export const NamedPointer = memo(function NamedPointer({
  renderer,
  id,
  name,
}: {
  renderer: FieldRenderer;
  id: number;
  name: string;
}) {
  const ref = useCallback(
    (element: SVGGElement | null) => {
      renderer.attachPointer(id, element);
      return () => renderer.attachPointer(id, null);
    },
    [renderer, id],
  );
  const shown = shortName(name);
  const width = Math.max(40, wordWidth(shown) + 22);
  return (
    <g ref={ref}>
      <path className={styles.pointer} data-mark="pointer" d="M0 0L4.6 14.6L7.7 7.9L14.6 5.2Z" />
      <rect className={styles.tag} x={12} y={13} width={width} height={25} rx={12.5} />
      <text className={styles.name} x={12 + width / 2} y={30}>
        {shown}
      </text>
    </g>
  );
});
