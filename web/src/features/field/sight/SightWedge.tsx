/** What a figure sees, as a wedge on the field; it follows its figure like the other parts. */
import { Follower } from '../drawing/figures/FigureParts.tsx';
import type { FieldRenderer } from '../drawing/fieldRenderer.ts';
import { SIGHT_PATH } from './inSight.ts';
import styles from './Sight.module.css';

/** The wedge of 120° of "Look from here" (docs/product.md#5.36). Takes the id of the figure that looks. */
export function SightWedge({ renderer, figureId }: { renderer: FieldRenderer; figureId: number }) {
  return (
    <Follower key={figureId} renderer={renderer} id={figureId} part="sight" className={styles.wedge}>
      <path d={SIGHT_PATH} />
    </Follower>
  );
}
