/* Shapes of the replicas, as paths in a 10 × 10 square. Colours alone are not accessible to everyone. */
const SHAPES = [
  "M5 0a5 5 0 1 1 0 10a5 5 0 1 1 0-10z",
  "M5 0.300L10 9.500H0z",
  "M0.700 0.700h8.600v8.600h-8.600z",
  "M5 0L10 5L5 10L0 5z",
];

export const shape = (index) => SHAPES[index % SHAPES.length];
