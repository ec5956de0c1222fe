import 'reflect-metadata';
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Post,
  Query,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { INVALID_KEY, invalidBody, invalidParameter, NO_KEY, NO_SUCH_ANIMAL } from '../parts/errors.js';
import { decorateClass, decorateMethod } from './decorate.js';
import { ListQuery, NewPet } from './inputs.js';

/** The module with the controller of the animals, behind a guard that judges API keys. */
export function petsModule(catalogue, apiKeys) {
  class ApiKeyGuard {
    canActivate(context) {
      const judgement = apiKeys.judge(context.switchToHttp().getRequest().headers.authorization);
      if (judgement === 'valid') return true;
      throw new UnauthorizedException(judgement === 'missing' ? NO_KEY : INVALID_KEY);
    }
  }
  decorateClass(ApiKeyGuard, Injectable());

  class PetsController {
    list(query) {
      return catalogue.list(query).animals;
    }

    create(newPet) {
      return catalogue.add(newPet);
    }

    get(petId) {
      const found = catalogue.find(petId);
      if (found === undefined) throw new NotFoundException(NO_SUCH_ANIMAL);
      return found;
    }
  }
  decorateMethod(PetsController, 'list', {
    decorators: [Get()],
    parameters: [Query(pipe(invalidParameter))],
    types: [ListQuery],
  });
  decorateMethod(PetsController, 'create', {
    decorators: [Post()],
    parameters: [Body(pipe(invalidBody))],
    types: [NewPet],
  });
  decorateMethod(PetsController, 'get', { decorators: [Get(':petId')], parameters: [Param('petId')], types: [String] });
  decorateClass(PetsController, Controller('v1/pets'), UseGuards(ApiKeyGuard));

  class PetsModule {}
  decorateClass(PetsModule, Module({ controllers: [PetsController], providers: [ApiKeyGuard] }));
  return PetsModule;
}

function pipe(error) {
  return new ValidationPipe({
    transform: true,
    exceptionFactory: (faults) =>
      new BadRequestException(error(faults.flatMap(({ constraints }) => Object.values(constraints)).join('; '))),
  });
}
