/** What a figure sees, as a wedge on the field; it follows its figure like the other parts. */
import { Follower } from '../drawing/FieldParts.tsx';
import type { Stage } from '../drawing/stage.ts';
import { SIGHT_PATH } from './inSight.ts';
import styles from './Sight.module.css';

export function SightWedge({ stage, figureId }: { stage: Stage; figureId: number }) {
  return (
    <Follower key={figureId} stage={stage} id={figureId} part="sight" className={styles.wedge}>
      <path d={SIGHT_PATH} />
    </Follower>
  );
}
