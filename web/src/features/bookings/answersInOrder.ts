/** Answers to one question that is asked again before it is answered. */

interface Question {
  /** Whether a newer question has been answered already: then this answer is out of date. */
  isLate(): boolean;
  /** Takes the answer: those to older questions are late from now on. */
  take(): void;
}

/** Makes the order of one question's answers. Returns what is called each time that it is asked. */
export function answersInOrder(): () => Question {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const mine = asked;
    return {
      isLate: () => mine < taken,
      take() {
        taken = mine;
      },
    };
  };
}
