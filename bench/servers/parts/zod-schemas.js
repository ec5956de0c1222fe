import { z } from 'zod';

const status = z.enum(['available', 'pending', 'sold']);

/** The body of a creation, for the peers that validate with Zod. */
export const newPetSchema = z.object({
  name: z.string().min(1).max(1024).regex(/\S/),
  categoryId: z.int(),
  status: status.optional(),
});

/** The query of a list. */
export const listQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  status: status.optional(),
  after: z.coerce.number().int().optional(),
});
