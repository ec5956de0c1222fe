/** Every status that an animal may have. The type, the guard and the JSON Schemas derive from this tuple. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

/** The availability of an animal. */
export type PetStatus = (typeof PET_STATUSES)[number];

/** Whether a value is one of {@link PET_STATUSES}, letter for letter. */
export function isPetStatus(value: unknown): value is PetStatus {
  return (PET_STATUSES as readonly unknown[]).includes(value);
}
