import 'reflect-metadata';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, Min } from 'class-validator';
import { decorateProperty } from './decorate.js';

const isStatus = IsIn(['available', 'pending', 'sold']);

/** The body of a creation. */
export class NewPet {}
decorateProperty(NewPet, 'name', String, IsString(), Length(1, 1024), Matches(/\S/));
decorateProperty(NewPet, 'categoryId', Number, IsInt());
decorateProperty(NewPet, 'status', String, IsOptional(), isStatus);

/** The query of a list. */
export class ListQuery {}
decorateProperty(
  ListQuery,
  'limit',
  Number,
  IsOptional(),
  Type(() => Number),
  IsInt(),
  Min(1),
  Max(100),
);
decorateProperty(ListQuery, 'status', String, IsOptional(), isStatus);
decorateProperty(
  ListQuery,
  'after',
  Number,
  IsOptional(),
  Type(() => Number),
  IsInt(),
);
